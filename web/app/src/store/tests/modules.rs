//! Modules that load on demand.

use super::*;

fn needed(page: Page, module: Module) -> Page {
    page.on(Action::Module(ModuleAction::Needed(module)))
}

fn ended(page: Page, module: Module, status: ModuleStatus) -> Page {
    page.on(Action::Module(ModuleAction::Ended { module, status }))
}

#[test]
fn an_idle_page_loads_what_is_not_loaded_yet() {
    let page = needed(Page::open(Draft::default()), Module::Dialogs);
    assert_eq!(page.effects, [Effect::LoadModule(Module::Dialogs)]);
    let page = page.on(Action::Module(ModuleAction::PageIdle));
    assert_eq!(page.effects, [Module::Tables, Module::Comparison].map(Effect::LoadModule));
    let page = ended(page, Module::Tables, ModuleStatus::Loaded);
    assert_eq!(needed(page, Module::Tables).effects, []);
}

#[test]
fn a_module_that_could_not_be_loaded_is_loaded_when_it_is_needed_again() {
    let page = needed(Page::open(Draft::default()), Module::Tables);
    assert_eq!(needed(page, Module::Tables).effects, [], "it is being loaded");
    let page = needed(Page::open(Draft::default()), Module::Tables);
    let page = needed(ended(page, Module::Tables, ModuleStatus::Failed), Module::Tables);
    let expected = [Effect::LoadModule(Module::Tables), Effect::MoveFocus(FocusTarget::Package)];
    assert_eq!(page.effects, expected, "the button that was pressed is removed");
}

#[test]
fn modules_stay_loaded_when_everything_is_cleared() {
    let page = ended(Page::open(Draft::default()), Module::Dialogs, ModuleStatus::Loaded);
    let page = page.on(Action::Catalogs(CatalogsAction::Cleared));
    assert_eq!(page.state.modules.get(&Module::Dialogs), Some(&ModuleStatus::Loaded));
}
