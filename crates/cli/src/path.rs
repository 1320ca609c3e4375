//! `opscope path`

use crate::args::UpdatePath;
use crate::explanation::repairs;
use crate::names;
use crate::output::{Failure, written};
use crate::places::Inputs;
use crate::served::{self, Form};
use report::{Paint, Printer, Terminal};
use std::io::{self, Write};
use views::{EntryKey, HopView, PathView};

/// Prints the updates from one version to another. Returns whether they lead there.
pub(crate) fn run(arguments: &UpdatePath, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let opm = arguments.catalogs.opm.release()?;
    served::ask(arguments.catalogs.read()?, Form::Text, terminal, out, |served, out| {
        answer(&Inputs::of(served, opm), arguments, terminal, out)
    })
}

fn answer(inputs: &Inputs, arguments: &UpdatePath, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let workbench = &inputs.workbench;
    let package = names::package(workbench, &arguments.package)?;
    let channel = names::channel(workbench, &package, arguments.channel.as_deref())?;
    let from = answers::find_installed(&workbench, &package, &arguments.from)?;
    let to = EntryKey { channel: Some(channel), name: names::csv(workbench, &package, &arguments.to)? };
    let view = answers::path(&workbench, &package, &from, &to).ok_or("the package has no such channel or version")?;
    write(&mut Printer::new(out, terminal, inputs), &view).map_err(written)?;
    inputs.answer(view.arrives)
}

fn write(printer: &mut Printer<'_>, view: &PathView) -> io::Result<()> {
    let (mark, paint) = if view.arrives { ("✓ ", Paint::Good) } else { ("✕ ", Paint::Bad) };
    printer.line(mark, paint, &view.title)?;
    printer.reasons("  - ", &view.because)?;
    if let Some(view) = &view.repairs {
        repairs(printer, view)?;
    }
    for advice in &view.advice {
        printer.sentence("  - ", &format!("Without editing the catalog: {advice}"), None)?;
    }
    hops(printer, &view.olm)?;
    if let Some(shortest) = &view.shortest {
        printer.heading(Paint::Bold, "The shortest path along the fields of the channel, which OLM does not take")?;
        hops(printer, shortest)?;
    }
    if let Some(across) = &view.across_channels {
        printer.heading(Paint::Bold, "The path if the Subscription switches channels")?;
        hops(printer, across)?;
    }
    Ok(())
}

/// The hops as a numbered list, each with the field that allows it. The channel is named where hops have several.
fn hops(printer: &mut Printer<'_>, hops: &[HopView]) -> io::Result<()> {
    let is_several = hops.iter().any(|hop| hop.to.channel != hops[0].to.channel);
    for (number, hop) in (1..).zip(hops) {
        let channel = hop.to.channel.as_ref().filter(|_| is_several);
        let channel = channel.map(|channel| format!(" in `{channel}`")).unwrap_or_default();
        let text = format!("{}{channel}: {}", hop.label, hop.because);
        printer.sentence(&format!("{number:3}. "), &text, Some(hop.place))?;
        if let Some(message) = &hop.deprecated {
            printer.sentence("     ", &format!("deprecated: {message}"), None)?;
        }
    }
    Ok(())
}
