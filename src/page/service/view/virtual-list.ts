/** A list of any length that draws only its visible rows; it is one tab stop, and arrows move within it. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { html } from "../../view/html.ts";
import { scrollFor, windowOf } from "../model/window.ts";

export interface VirtualListProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly rowHeight: number;
  /** The id of the row that is open. */
  readonly openId: string | null;
  readonly hrefOf: (row: Row) => string;
  readonly draw: (row: Row) => VNode;
  /** Shown when the list is empty. */
  readonly blank: VNode;
  /** Called when the last rows are visible: more may be fetched. */
  readonly onEnd: () => void;
}

export function VirtualList<Row extends { readonly id: string }>(
  props: VirtualListProps<Row>,
): VNode {
  const { label, rows, rowHeight, openId, hrefOf, draw, blank, onEnd } = props;
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(800);
  const openIndex = rows.findIndex(({ id }) => id === openId);
  const scrolled = { top: top.value, height: height.value, rowHeight, count: rows.length };
  const { first, end } = windowOf(scrolled);

  useEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => {
      height.value = element.clientHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const wanted = openIndex < 0 ? null : scrollFor(openIndex, scrolled);
    if (wanted !== null) box.current!.scrollTop = wanted;
  }, [openId]);
  useEffect(() => {
    if (end >= rows.length && rows.length > 0) onEnd();
  }, [end, rows.length]);

  const stop = openIndex < 0 ? 0 : openIndex;
  return html`<div class="scroll" ref=${box} role="region" aria-label=${label} tabindex="-1"
      onScroll=${() => {
        top.value = box.current!.scrollTop;
      }}>${rows.length === 0 ? blank : null}
    <ul class="window" style=${{ height: `${rows.length * rowHeight}px` }}>${rows
      .slice(first, end)
      .map((row, index) => {
        const at = first + index;
        return html`<li key=${row.id} aria-setsize=${rows.length} aria-posinset=${at + 1} style=${{ top: `${at * rowHeight}px`, height: `${rowHeight}px` }}>
          <a class="entry" href=${hrefOf(row)} tabindex=${at === stop ? 0 : -1} aria-current=${row.id === openId ? "true" : undefined}>${draw(row)}</a></li>`;
      })}</ul></div>`;
}
