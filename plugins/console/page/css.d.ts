/** Styles are bundled beside the script; an import of one has no value. */
declare module '*.css'
