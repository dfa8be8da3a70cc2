/** Names of projects. */

/** The name of a project: 1 to 64 characters of a-z, 0-9, dot, underscore and hyphen; the first is a letter or a digit. */
export const PROJECT_NAME: RegExp = /^[a-z0-9][a-z0-9._-]{0,63}$/
