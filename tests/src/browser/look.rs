//! The size and colours of the page, and screenshots.

use std::path::Path;

use serde_json::json;

use super::error::{BrowserError, Result};
use super::page::Page;

/// The size of the page in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewport {
    /// In CSS pixels.
    pub width: u32,
    /// In CSS pixels.
    pub height: u32,
}

/// A laptop.
pub const WIDE: Viewport = Viewport { width: 1440, height: 900 };

/// A phone.
pub const NARROW: Viewport = Viewport { width: 390, height: 844 };

/// A very wide screen.
pub const ULTRA_WIDE: Viewport = Viewport { width: 3440, height: 1440 };

/// The colours that the user's system prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Dark text on light ground.
    Light,
    /// Light text on dark ground.
    Dark,
}

impl Page {
    /// Sets the page's size and colours, and stops animations.
    pub async fn look(&self, Viewport { width, height }: Viewport, scheme: Scheme) -> Result {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await?;
        let scheme = match scheme {
            Scheme::Light => "light",
            Scheme::Dark => "dark",
        };
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features })).await?;
        Ok(())
    }

    /// Writes a PNG of what the page shows.
    pub async fn screenshot(&self, path: &Path) -> Result {
        let png = self.client.screenshot().await?;
        tokio::fs::write(path, png).await.map_err(|error| BrowserError::File(path.to_path_buf(), error))
    }
}
