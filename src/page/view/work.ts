/** Work that is not done: components that are drawn anew only when a property changes, and a count of what was drawn. */
import { Component, type ComponentClass, type VNode } from "preact";

/** Tests hold the work of a keystroke to a bound by it, without a timer. */
export const work = { cards: 0, rows: 0 };

/** Read by tests, as `performance` has the times. */
export function exposeWork(): void {
  Object.assign(globalThis, { mailflowWork: work });
}

/** `draw` reads nothing but its properties: where all are the same, what it drew stays. */
export function drawnOnChange<Props extends object>(
  draw: (props: Props) => VNode,
): ComponentClass<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const names = Object.keys(next) as (keyof Props)[];
      return names.some((name) => next[name] !== this.props[name]);
    }
    override render(): VNode {
      return draw(this.props);
    }
  };
}
