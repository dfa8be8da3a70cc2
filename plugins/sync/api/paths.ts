/** The paths of pushes on every surface. */

/** Path of a push of the first version. */
export const UNSIGNED_PATH = '/api/v1/sync/push'
/** Path of the pushes of the present version. */
export const PUSHES_PATH = '/api/v2/sync/pushes'
