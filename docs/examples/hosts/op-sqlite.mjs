/**
 * The database of `@op-engineering/op-sqlite` for the sync engine: `createEmbedded({ host, database: fromOp(open({ name: 'app.db' })) })`.
 *
 * @param {import('@op-engineering/op-sqlite').DB} db
 * @returns {import('svc/embedded-native').HostDatabase}
 */
export const fromOp = (db) => ({
  exec: (sql) => db.executeSync(sql),
  run: (sql, params) => db.executeSync(sql, params),
  all: (sql, params) => db.executeSync(sql, params).rows,
})
