//! Lifecycle data: the support of a version on the day of the visit and on a chosen one.

use serde_json::json;
use suite::browser::{Page, Result};

use crate::steps::{is_accessible, open_folds, paste, read, see, see_texts};

/// Version 1.0 was supported until the end of 2025.
const KETTLE: &str = "
package kettle
stable: 1.0.0
---
schema: io.openshift.operators.lifecycles.v1alpha1
package: kettle
versions:
- name: '1.0'
  phases:
  - {name: Full support, startDate: '2024-01-01', endDate: '2025-12-31'}
  platformCompatibility:
  - {name: openshift, versions: ['4.18']}
";

async fn choose(page: &Page, day: &str) -> Result {
    const CHOOSE: &str = "
        const field = document.querySelector(\"[data-testid='day']\");
        field.value = arguments[0];
        field.dispatchEvent(new Event('change', { bubbles: true }))";
    page.test_id("day").await?;
    page.eval(CHOOSE, vec![json!(day)]).await.map(drop)
}

/// The first lines of the row about support.
async fn see_support(page: &Page, expected: &str) -> Result {
    let first = async || Ok(read(page, "dd:has(.day) li:first-child .told", "e.textContent").await?.into_iter().next());
    see(page, "the support", Some(expected.to_owned()), first).await
}

journey!(the_support_is_told_on_a_chosen_day, async |page| {
    paste(page, &fixture::yaml(KETTLE)).await?;
    open_folds(page).await?;
    let phase = "Full support: 2024-01-01 to 2025-12-31; openshift 4.18";
    see_support(page, &format!("1.0: Self-support: all phases are over; {phase}")).await?;
    let is_today = "const now = new Date();
        const two = (number) => String(number).padStart(2, '0');
        return document.querySelector(\"[data-testid='day']\").value
            === `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`";
    assert_eq!(page.eval(is_today, Vec::new()).await?, json!(true));
    choose(page, "2024-06-30").await?;
    see_support(page, &format!("1.0: Full support until 2025-12-31, more than 12 months left; {phase}")).await?;
    page.css("[data-testid='graph-node'][data-name='kettle.v1.0.0']").await?.click().await?;
    see_texts(page, "[data-testid='entry-name']", &["kettle.v1.0.0"]).await?;
    open_folds(page).await?;
    see_support(page, "Full support until 2025-12-31, more than 12 months left").await?;
    choose(page, "2025-01-01").await?;
    see_support(page, "Full support until 2025-12-31, 12 months or less left").await?;
    is_accessible(page).await
});
