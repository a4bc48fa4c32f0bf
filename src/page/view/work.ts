/** Avoids drawing: values that stay the same object while they are equal, components that are drawn again only when a property changes, and a count of what was drawn. */
import { computed, type ReadonlySignal } from "@preact/signals";
import { Component, type ComponentClass, type VNode } from "preact";

/** With it, tests limit the work of a keystroke without a timer. */
export const work = { cards: 0, rows: 0, parts: 0 };

/** Lets tests read the count. */
export function exposeWork(): void {
  Object.assign(globalThis, { mailflowWork: work });
}

/** What `compute` gives, as the object of before while its JSON is the same: who reads it is not drawn for each keystroke. */
export function steady<Value>(compute: () => Value): ReadonlySignal<Value> {
  let last: { readonly text: string | undefined; readonly value: Value } | undefined;
  return computed(() => {
    const value = compute();
    const text = JSON.stringify(value);
    if (last === undefined || last.text !== text) last = { text, value };
    return last.value;
  });
}

/** `draw` may read only its properties: it is not called again while they stay the same. */
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
