import { test } from './cases/place.ts'

test.run()
