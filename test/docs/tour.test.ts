/** docs/tour.md is what a shell printed: its commands are run on what ships. */
import { suite } from 'uvu'
import { addStories } from '../support/page-commands/add-stories.ts'

const test = suite('docs/tour.md')
addStories(test, 'docs/tour.md')
test.run()
