import { askAtOnce, loadAhead, runModule } from '#client/early/early-answers.ts'
import { readFiguresEarly } from '#client/early/early-figures.ts'
import { afterPaint, showFirstScreen, startWithCopy } from '#client/early/screen-copy.ts'
import { guardPaths } from '#features/accounts/paths.ts'
import { homeCardsKey, startRequest } from '#features/home/client/first-cards.ts'
import { currentSubscriptionPath } from '#features/subscription/paths.ts'
import { dayIn } from '#shared/time.ts'
import type * as FirstScreen from './first-screen.tsx'

// A program of its own, in the page itself and as small as can be: while the app's code is on its way, a first visit
// asks what the guard and Home will ask, and fetches Home's code beside the rest. On a phone it first fetches what shows
// Home as soon as the answer is there; a later visit shows Home as it last was, and fetches code only then. Then it starts
// the app.

/** The chunk of Home, named by the build. */
declare const FIRST_SCREEN: readonly string[]
/** The app's own program and what it imports, named by the build. */
declare const APP: readonly [program: string, ...imported: string[]]
/** The program that draws Home by itself (first-screen.tsx), named by the build. */
declare const DRAW_FIRST: string

const atHome = /^\/(home)?$/.test(location.pathname)
const questions = { ...guardPaths, subscription: currentSubscriptionPath }
const withCards = atHome && !location.search
const answer = askAtOnce(startRequest(withCards, questions))
const code = new Set([...APP, ...(atHome ? FIRST_SCREEN : [])])

// Asked for first: a browser opens six connections, and the app takes all. By a query, since innerWidth lays the page out.
if (answer && withCards && matchMedia('(max-width: 767.98px)').matches) void drawFirst(answer).catch(() => undefined)
startWithCopy([...APP, ...FIRST_SCREEN].join(), { load: () => loadAhead(code), run: () => runModule(APP[0]) })
if (atHome) {
  readFiguresEarly(homeCardsKey)
  // The first calendar of a page takes a tenth of a second on a phone: made while the answer is on its way.
  if (answer) afterPaint(() => void dayIn(new Date(), 'UTC'))
}

async function drawFirst(start: NonNullable<typeof answer>): Promise<void> {
  loadAhead([DRAW_FIRST])
  const { firstScreen } = (await import(/* @vite-ignore */ DRAW_FIRST)) as typeof FirstScreen
  const { body, date } = await start
  const html = firstScreen(body as Parameters<typeof firstScreen>[0], date)
  if (html !== undefined) showFirstScreen(html)
}
