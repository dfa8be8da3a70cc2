/** docs/tour.md is what a shell printed: its commands are run on what ships. */
import { suite } from 'uvu'
import { addStories } from '../support/tour/add-stories.ts'

const test = suite('docs/tour.md')
addStories(test, 'tour.md')
test.run()
