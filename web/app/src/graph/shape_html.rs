//! The shapes of the drawing as elements.

use super::shape::{Frame, Shape, turn};
use yew::prelude::*;

/// What is rendered as elements.
pub(super) trait ShapeHtml {
    /// Renders it as elements.
    fn html(self) -> Html;
}

impl ShapeHtml for Shape {
    fn html(self) -> Html {
        match self {
            Self::Rect { class, x, y, width, height, radius } => html! {
                <rect {class} x={x.to_string()} y={y.to_string()} width={width.to_string()} height={height.to_string()}
                    rx={radius.to_string()} />
            },
            Self::Path { class, d } => html! { <path {class} {d} /> },
            Self::Text { class, x, y, text } => {
                html! { <text {class} x={x.to_string()} y={y.to_string()}>{ text }</text> }
            }
            Self::Group { class, title, shapes } => html! { <g {class}>
                if let Some(title) = title { <title>{ title }</title> }
                { for shapes.into_iter().map(Self::html) }
            </g> },
            Self::Turned { left, top, shapes } => html! { <g class="up" transform={turn(left, top)}>
                { for shapes.into_iter().map(Self::html) }
            </g> },
            Self::Window { class, at: Frame { left, top, width, height }, part, shapes } => html! {
                <svg {class} x={left.to_string()} y={top.to_string()} width={width.to_string()}
                    height={height.to_string()} viewBox={part.view_box()}>
                    { for shapes.into_iter().map(Self::html) }
                </svg>
            },
        }
    }
}
