/**
 * The database of `expo-sqlite` for the sync engine: `createEmbedded({ host, database: fromExpo(openDatabaseSync('app.db')) })`.
 *
 * @param {import('expo-sqlite').SQLiteDatabase} db
 * @returns {import('svc/embedded-native').HostDatabase}
 */
export const fromExpo = (db) => ({
  exec: (sql) => db.execSync(sql),
  run: (sql, params) => db.runSync(sql, params),
  all: (sql, params) => db.getAllSync(sql, params),
})
