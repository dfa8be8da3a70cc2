/**
 * The texts of the page, empty in the source. A build replaces this module by the bundled page
 * (`scripts/build/generate/carried.ts`).
 */

/** The document, the script and the style of the page. */
export const pageSource: { readonly html: string; readonly script: string; readonly style: string } = {
  html: '',
  script: '',
  style: '',
}
