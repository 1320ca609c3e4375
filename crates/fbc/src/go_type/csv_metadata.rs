//! `property.CSVMetadata` (operator-registry `alpha/property/property.go`) and the types of
//! `operator-framework/api` `pkg/operators/v1alpha1` that it is made of.

use super::{GoStruct, GoType, STRING};
use GoType::{Any, Bool, Int, List, Map, Struct, Text};

const API: &str = "v1alpha1";

/// `property.CSVMetadata`
pub(crate) static CSV_METADATA: GoType = Struct(&GoStruct {
    package: "property",
    name: "CSVMetadata",
    fields: &[
        ("annotations", Map(&STRING)),
        ("apiServiceDefinitions", Struct(&API_SERVICES)),
        ("crdDescriptions", Struct(&CRDS)),
        ("description", STRING),
        ("displayName", STRING),
        ("installModes", List(&Struct(&INSTALL_MODE))),
        ("keywords", List(&STRING)),
        ("labels", Map(&STRING)),
        ("links", List(&Struct(&LINK))),
        ("maintainers", List(&Struct(&MAINTAINER))),
        ("maturity", STRING),
        ("minKubeVersion", STRING),
        ("nativeAPIs", List(&Struct(&GROUP_VERSION_KIND))),
        ("provider", Struct(&LINK)),
    ],
});

static API_SERVICES: GoStruct = GoStruct {
    package: API,
    name: "APIServiceDefinitions",
    fields: &[("owned", List(&Struct(&API_SERVICE))), ("required", List(&Struct(&API_SERVICE)))],
};

static CRDS: GoStruct = GoStruct {
    package: API,
    name: "CustomResourceDefinitions",
    fields: &[("owned", List(&Struct(&CRD))), ("required", List(&Struct(&CRD)))],
};

static API_SERVICE: GoStruct = GoStruct {
    package: API,
    name: "APIServiceDescription",
    fields: &[
        ("name", STRING),
        ("group", STRING),
        ("version", STRING),
        ("kind", STRING),
        ("deploymentName", STRING),
        ("containerPort", Int("int32", i32::MIN as i64, i32::MAX as i64)),
        ("displayName", STRING),
        ("description", STRING),
        ("resources", List(&Struct(&RESOURCE))),
        ("statusDescriptors", List(&Struct(&STATUS))),
        ("specDescriptors", List(&Struct(&SPEC))),
        ("actionDescriptors", List(&Struct(&ACTION))),
    ],
};

static CRD: GoStruct = GoStruct {
    package: API,
    name: "CRDDescription",
    fields: &[
        ("name", STRING),
        ("version", STRING),
        ("kind", STRING),
        ("displayName", STRING),
        ("description", STRING),
        ("resources", List(&Struct(&RESOURCE))),
        ("statusDescriptors", List(&Struct(&STATUS))),
        ("specDescriptors", List(&Struct(&SPEC))),
        ("actionDescriptors", List(&Struct(&ACTION))),
    ],
};

static RESOURCE: GoStruct = GoStruct {
    package: API,
    name: "APIResourceReference",
    fields: &[("name", STRING), ("kind", STRING), ("version", STRING)],
};

const DESCRIPTOR: &[(&str, GoType)] = &[
    ("path", STRING),
    ("displayName", STRING),
    ("description", STRING),
    ("x-descriptors", List(&STRING)),
    ("value", Any),
];

static STATUS: GoStruct = GoStruct { package: API, name: "StatusDescriptor", fields: DESCRIPTOR };
static SPEC: GoStruct = GoStruct { package: API, name: "SpecDescriptor", fields: DESCRIPTOR };
static ACTION: GoStruct = GoStruct { package: API, name: "ActionDescriptor", fields: DESCRIPTOR };

static INSTALL_MODE: GoStruct = GoStruct {
    package: API,
    name: "InstallMode",
    fields: &[("type", Text("v1alpha1.InstallModeType")), ("supported", Bool)],
};

static LINK: GoStruct = GoStruct { package: API, name: "AppLink", fields: &[("name", STRING), ("url", STRING)] };

static MAINTAINER: GoStruct =
    GoStruct { package: API, name: "Maintainer", fields: &[("name", STRING), ("email", STRING)] };

static GROUP_VERSION_KIND: GoStruct = GoStruct {
    package: "v1",
    name: "GroupVersionKind",
    fields: &[("group", STRING), ("version", STRING), ("kind", STRING)],
};
