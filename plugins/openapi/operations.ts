/** The OpenAPI part of `openapi`. */
import type { Operations } from '../../core/operation.ts'

/** By surface, method and path. */
export const operations: Operations = {
  'local GET /openapi.json': {
    id: 'openapi',
    answers: { 200: { description: 'This document.', schema: { type: 'object', title: 'OpenApiDocument' } } },
  },
}
