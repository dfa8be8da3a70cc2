/** The OpenAPI contract that is checked in, as the text that is served and printed. */
import document from '../../openapi.json' with { type: 'json' }

/** Byte for byte the file openapi.json. */
export const openApiText: string = `${JSON.stringify(document, null, 2)}\n`
