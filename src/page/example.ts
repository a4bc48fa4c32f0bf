/** What the page shows when it is opened without files: the demo's domain and messages, included by the build. */
import domain from "../../corpus/demo/domain.json" with { type: "json" };
import order from "../../corpus/demo/messages/01-order-confirmation.eml";
import invoice from "../../corpus/demo/messages/02-invoice.eml";
import code from "../../corpus/demo/messages/03-one-time-code.eml";
import newsletter from "../../corpus/demo/messages/04-newsletter.eml";
import scan from "../../corpus/demo/messages/08-scan-in-three-levels.eml";
import letter from "../../corpus/demo/messages/09-letter.eml";

export const EXAMPLE_DOMAIN: unknown = domain;
export const EXAMPLE_MESSAGES: readonly { readonly name: string; readonly text: string }[] = [
  { name: "02-invoice.eml", text: invoice },
  { name: "01-order-confirmation.eml", text: order },
  { name: "03-one-time-code.eml", text: code },
  { name: "04-newsletter.eml", text: newsletter },
  { name: "08-scan-in-three-levels.eml", text: scan },
  { name: "09-letter.eml", text: letter },
];
