import { parseJson, readClaims } from '../api/session/token-claims.ts'
import { screenCopyKey, sessionKey, storedAheadMs } from '../api/storage-keys.ts'
import { formatAge } from '../ui/figures/format.ts'

/** A screen as it last was on this device, shown at its next start until the app draws itself. */
export interface ScreenCopy {
  /** Whose it is, by the subject of the access token. */
  user: string | undefined
  /** The address without its origin. */
  address: string
  /** For which width it was laid out. */
  width: number
  /** Which build drew it. */
  build: string
  /** Until then the app would show the same, apart from newer figures; without network also later. */
  goodUntilMs: number
  html: string
}

/** They are on the window because the early script and the app are separate programs. */
declare global {
  /** True while a copy is shown, false once the app has drawn something. */
  var tidelineScreenCopy: boolean | undefined
  /** Which build this is; only a build has the script that shows a copy. */
  var tidelineBuild: string | undefined
  /** Called by index.html as soon as #root is there. */
  var tidelineRootParsed: (() => void) | undefined
}

const rootOf = (): HTMLElement | null => document.querySelector<HTMLElement>('#root')

interface Start {
  /** Fetches the app's code. */
  load: () => void
  /** Runs it. */
  run: () => void
}

/**
 * Starts the app. When this device has a copy of the screen, nothing is done before the frame in which it is painted; its
 * ages are of now soon after. `build` names the app that would draw the copy.
 */
export function startWithCopy(build: string, { load, run }: Start): void {
  globalThis.tidelineBuild = build
  // Before there is a body: reading the width of a page lays it out.
  const copy = persistedCopy(build)
  if (!copy) load()
  const begin = (root: HTMLElement): void => {
    if (!copy) return run()
    draw(copy, root)
    afterPaint(() => {
      load()
      run()
      showAges(root)
    })
  }
  globalThis.tidelineRootParsed = () => {
    const root = rootOf()
    if (root) begin(root)
  }
}

/** Shows a screen as the app is about to draw it, in its place until then. Does nothing once the app has drawn something. */
export function showFirstScreen(html: string): void {
  const root = rootOf()
  if (root && globalThis.tidelineScreenCopy === undefined) show(html, root)
}

/** Ends the copy: the app has drawn the screen in its place. */
export function endScreenCopy(): void {
  globalThis.tidelineScreenCopy = false
  const root = rootOf()
  if (root) root.inert = false
}

/** True while a copy is shown, which only the complete screen should replace. */
export const isScreenCopyShown = (): boolean => globalThis.tidelineScreenCopy === true

function persistedCopy(build: string): ScreenCopy | undefined {
  const copy = parseJson(localStorage.getItem(screenCopyKey)) as ScreenCopy | null | undefined
  const session = parseJson(localStorage.getItem(sessionKey)) as { accessToken?: unknown } | null | undefined
  if (!copy || typeof session?.accessToken !== 'string') return undefined
  const fits =
    copy.user === readClaims(session.accessToken).sub &&
    copy.build === build &&
    copy.address === location.pathname + location.search &&
    copy.width === innerWidth &&
    (!navigator.onLine || Date.now() + storedAheadMs() < copy.goodUntilMs)
  return fits ? copy : undefined
}

function show(html: string, root: HTMLElement): void {
  globalThis.tidelineScreenCopy = true
  root.innerHTML = html
  plainContent(root)
  // It cannot be used yet, and is read out once it can.
  root.inert = true
}

/** Without its code Ionic's content is nothing but a tag: an element with its layout takes its place. */
export function plainContent(screen: Element): void {
  for (const content of screen.querySelectorAll('ion-content')) {
    const plain = document.createElement('div')
    plain.className = 'copied-content'
    plain.append(...content.childNodes)
    content.replaceWith(plain)
  }
}

const agesIn = (root: HTMLElement) => root.querySelectorAll<HTMLTimeElement>('.data-age time')

function draw(copy: ScreenCopy, root: HTMLElement): void {
  show(copy.html, root)
  // The platform's words for ages take a phone a tenth of a second; an age that was true last time is not shown meanwhile.
  for (const time of agesIn(root)) time.style.visibility = 'hidden'
  const offline = root.querySelector<HTMLElement>('.offline-bar')
  if (!offline) return
  offline.hidden = navigator.onLine
  offline.textContent = navigator.onLine ? '' : (offline.dataset.offline ?? '')
}

function showAges(root: HTMLElement): void {
  const now = Date.now() + storedAheadMs()
  for (const time of agesIn(root)) {
    time.textContent = formatAge(time.dateTime, now)
    time.style.visibility = ''
  }
}

// No frame is drawn in a tab that nobody sees.
const latestMs = 200

/** Runs `then` in the task after the next frame, or soon where none is drawn. */
export function afterPaint(then: () => void): void {
  let done = false
  const once = (): void => {
    if (done) return
    done = true
    then()
  }
  requestAnimationFrame(() => setTimeout(once))
  setTimeout(once, latestMs)
}
