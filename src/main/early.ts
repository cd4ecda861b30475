import { askAtOnce, loadAhead, runModule } from '#client/early/early-answers.ts'
import { readFiguresEarly } from '#client/early/early-figures.ts'
import { startWithCopy } from '#client/early/screen-copy.ts'
import { guardPaths } from '#features/accounts/paths.ts'
import { homeCardsKey, startRequest } from '#features/home/client/first-cards.ts'
import { currentSubscriptionPath } from '#features/subscription/paths.ts'
import { dayIn } from '#shared/time.ts'

// A program of its own, in the page itself and as small as can be: while the app's code is on its way, a first visit
// asks what the guard and Home will ask, and fetches Home's code beside the rest. A later one shows Home as it last was. Then
// it starts the app.

/** The chunk of Home, named by the build. */
declare const FIRST_SCREEN: readonly string[]
/** The app's own program, named by the build. */
declare const APP: string

const atHome = /^\/(home)?$/.test(location.pathname)
const questions = { ...guardPaths, subscription: currentSubscriptionPath }
const isFirstVisit = askAtOnce(startRequest(atHome && !location.search, questions))
startWithCopy([APP, ...FIRST_SCREEN].join(), () => runModule(APP))

if (atHome) {
  loadAhead(FIRST_SCREEN)
  readFiguresEarly(homeCardsKey)
  // The first calendar of a page takes a tenth of a second on a phone: made while the answer is on its way.
  if (isFirstVisit) dayIn(new Date(), 'UTC')
}
