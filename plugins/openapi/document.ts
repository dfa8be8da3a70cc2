/**
 * The OpenAPI contract as it is served and printed: the checked-in file or, for a profile with other routes, the one that the
 * build makes.
 */
import document from '#openapi.json' with { type: 'json' }

/** The bytes of that file. */
export const openApiText: string = `${JSON.stringify(document, null, 2)}\n`
