/** Settings of a node whose engines are away. */
export const nowhere: Readonly<Record<string, string>> = {
  SVC_CLUSTER__POSTGRES_URL: 'postgres://svc@127.0.0.1:9/svc',
  SVC_CLUSTER__NATS_URL: 'nats://127.0.0.1:9',
  SVC_SECURITY__EXCHANGE_SECRET: 'a secret of the exchange, long enough for it',
}
