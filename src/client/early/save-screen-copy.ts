import { useEffect, useEffectEvent } from 'react'
import { sessionUser } from '../api/session/session.ts'
import { screenCopyKey } from '../api/storage-keys.ts'
import { plainContent, type ScreenCopy } from './screen-copy.ts'
import { whenIdle } from './when-idle.ts'

/** Where a copy ends: what follows among the content of the page is drawn after the first paint. */
export const copyEnd = { 'data-copy-end': true, hidden: true } as const

/**
 * Persists a copy of this screen for its next start: when `shown` (what it shows; undefined while there is nothing) has
 * changed and been drawn, and when the page is left. `goodUntilMs` says how long the app would show the same.
 */
export function useScreenCopy(shown: unknown, goodUntilMs: () => number): void {
  const save = useEffectEvent(() => saveCopy(goodUntilMs()))
  useEffect(() => {
    if (shown === undefined) return
    let left = false
    whenIdle(() => {
      if (!left) save()
    })
    const onHidden = (): void => {
      if (document.visibilityState === 'hidden') save()
    }
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      left = true
      document.removeEventListener('visibilitychange', onHidden)
    }
  }, [shown])
}

/** Deletes it: its user leaves, or works in another account or marketplace. */
export function wipeScreenCopy(): void {
  localStorage.removeItem(screenCopyKey)
}

function saveCopy(goodUntilMs: number): void {
  const html = copiedHtml()
  const build = globalThis.tidelineBuild
  if (html === undefined || build === undefined) return
  const copy: ScreenCopy = {
    user: sessionUser(),
    address: location.pathname + location.search,
    width: innerWidth,
    build,
    goodUntilMs,
    html,
  }
  try {
    localStorage.setItem(screenCopyKey, JSON.stringify(copy))
  } catch {
    // Without room the next start shows its figures a little later.
  }
}

const notOfTheScreen = '.toasts, .floating-cards, ion-refresher, [data-copy-end], [data-copy-end] ~ *'
const overlays = 'ion-modal, ion-action-sheet, ion-alert, ion-popover, dialog[open], .full-screen-overlay'

/** What #root shows, from its top; undefined while it is scrolled or something is open above it. */
function copiedHtml(): string | undefined {
  const root = document.querySelector('#root')
  const header = root?.querySelector('.page-header')
  if (!root || !header || header.matches('.collapsed, .tucked') || root.querySelector(overlays)) return undefined
  const copy = root.cloneNode(true) as Element
  for (const element of copy.querySelectorAll(notOfTheScreen)) element.remove()
  // A choice is a property, which a copy does not have.
  const selects = [...root.querySelectorAll('select')]
  copy.querySelectorAll('select').forEach((select, index) => {
    select.selectedOptions[0]?.removeAttribute('selected')
    select.options[selects[index]?.selectedIndex ?? -1]?.setAttribute('selected', '')
  })
  plainContent(copy)
  return copy.innerHTML
}
