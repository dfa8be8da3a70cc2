/** The bundler writes styles to a file beside the script. An import of a style has no value. */
declare module '*.css'
