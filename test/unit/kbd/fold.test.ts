/**
 * Equal commands give an equal project on the database of embedded hosts. test/fuzz has the same test for the server's
 * database.
 */
import { test } from 'uvu'
import { countOf } from '../../support/count.ts'
import { drivers } from './boards.ts'
import { judgeMany } from './judge.ts'

const GRAPHS = countOf({ quick: 3, deep: 30 })

test(`sql.js: equal commands in six orders give the project of the oracle: ${GRAPHS} graphs`, () => {
  judgeMany(drivers['sql.js']!, GRAPHS, 1)
})

test.run()
