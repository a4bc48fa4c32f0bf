/** Files that the build puts in as text, and style sheets that it collects. */
declare module "*.eml" {
  const text: string;
  export default text;
}
declare module "*.css";
