/** Text that UTF-8 cannot carry. */

/** Matches a UTF-16 surrogate that has no other half beside it: such a text has no canonical form (RFC 8785 section 3.2.2.2). */
export const LONE_SURROGATE: RegExp = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/
