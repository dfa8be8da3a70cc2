/**
 * Version 5: the outbox by peer holds only what was tried before and is to be tried again. A push to many peers is written, and
 * sent, without an entry for each of them.
 */
export const outbox = `
  DROP INDEX outbox_by_peer;
  CREATE INDEX outbox_again ON outbox (endpoint_id, next_attempt_at_ms) WHERE attempts > 0;
`
