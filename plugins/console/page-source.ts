/** The page as texts. In a build `scripts/build/generate/page-text.ts` gives this module the page of `page/`, which needs its bundler. */

/** The document, the script and the style of the page. */
export const pageSource: { readonly html: string; readonly script: string; readonly style: string } = {
  html: '',
  script: '',
  style: '',
}
