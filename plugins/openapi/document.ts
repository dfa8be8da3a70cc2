/**
 * The OpenAPI contract that is served and printed: the checked-in file, or the file that the build generates for a
 * profile with other routes.
 */
import document from '#openapi.json' with { type: 'json' }

/** The text of the OpenAPI contract. */
export const openApiText: string = `${JSON.stringify(document, null, 2)}\n`
