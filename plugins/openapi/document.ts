/**
 * The OpenAPI contract as the text that is served and printed: the one that is checked in, or of a profile with other
 * routes its own, which the build makes.
 */
import document from '#openapi.json' with { type: 'json' }

/** Byte for byte the file that it comes from. */
export const openApiText: string = `${JSON.stringify(document, null, 2)}\n`
