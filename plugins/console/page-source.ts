/** The page as texts, which the build makes of `page/`. */
export const pageSource: { readonly html: string; readonly script: string; readonly style: string } = {
  html: '<!doctype html><title>svc console</title><link rel="stylesheet" href="/app.css"><script src="/app.js" type="module"></script>',
  script: '',
  style: '',
}
