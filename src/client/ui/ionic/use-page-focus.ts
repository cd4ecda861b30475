import { useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect } from 'react'

const frames = 20

/** Names the document. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Tideline`
  }, [title])
}

/** After a navigation, moves the focus to the page's heading so that it is read out. */
export function usePageFocus(heading: RefObject<HTMLElement | null>): void {
  const router = useRouter()
  useEffect(() => {
    // The first page keeps the browser's own start at the top of the document.
    if (!router.state.location.state.__TSR_index) return
    let frame = 0
    let tries = 0
    // Ionic draws its slots a little later, and an element outside a slot cannot be focused.
    const attempt = (): void => {
      heading.current?.focus({ preventScroll: true })
      tries += 1
      if (document.activeElement !== heading.current && tries < frames) frame = requestAnimationFrame(attempt)
    }
    frame = requestAnimationFrame(attempt)
    return () => cancelAnimationFrame(frame)
  }, [heading, router])
}
