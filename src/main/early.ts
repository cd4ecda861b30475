import { buildUrl } from '#client/api/build-request.ts'
import { storedAheadMs } from '#client/api/storage-keys.ts'
import { askAtOnce, loadAhead, runModule } from '#client/early/early-answers.ts'
import { readFiguresEarly } from '#client/early/early-figures.ts'
import { startWithCopy } from '#client/early/screen-copy.ts'
import { guardPaths } from '#features/accounts/paths.ts'
import { cardsUrl, homeCardsKey } from '#features/home/client/first-cards.ts'
import { currentSubscriptionPath } from '#features/subscription/paths.ts'
import { dayIn } from '#shared/time.ts'

// A program of its own, loaded before all others and as small as can be: while the app's code is on its way, a first visit
// asks what the guard and Home will ask, and fetches Home's code beside the rest. A later one shows Home as it last was. Then
// it starts the app.

/** The chunk of Home, named by the build. */
declare const FIRST_SCREEN: readonly string[]
/** The app's own program, named by the build. */
declare const APP: string

startWithCopy((document.currentScript as HTMLScriptElement).src, () => runModule(APP))

const atHome = /^\/(home)?$/.test(location.pathname)
if (atHome) {
  loadAhead(FIRST_SCREEN)
  readFiguresEarly(homeCardsKey)
}

askAtOnce(ask => {
  const { currentMarketplace, currentMerchant, merchants } = guardPaths
  const questions = [currentMarketplace, currentMerchant, currentSubscriptionPath, merchants] as const
  const [marketplace] = ask(questions.map(path => buildUrl({ path }, {})))
  if (!atHome || location.search) return
  // The first calendar of a page takes a tenth of a second on a phone: made while the answer is on its way.
  dayIn(new Date(), 'UTC')
  const askCards = async (): Promise<void> => {
    const answer = (await (await marketplace)?.json()) as { id?: unknown } | undefined
    if (typeof answer?.id === 'number') void ask([cardsUrl(answer.id, new Date(Date.now() + storedAheadMs()))])
  }
  // The app repeats a request that fails here, and reports the error.
  askCards().catch(() => undefined)
})
