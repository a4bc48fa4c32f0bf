/** Files that the build includes as text, and style sheets that it collects. */
declare module "*.eml" {
  const text: string;
  export default text;
}
declare module "*.css";
