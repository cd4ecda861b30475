import { Link, type ActiveOptions, useRouter } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useRef, useState } from 'react'
import { afterFrame } from '../../../early/when-idle.ts'

interface NavLinkProps {
  to: string
  /** Where `to` redirects. Going there directly saves a phone a second navigation for the same tap. */
  leadsTo?: string | undefined
  className: string
  activeOptions?: ActiveOptions
  children: ReactNode
}

/**
 * A link of the frame. It is drawn as pressed at once, and the router works in the task after that frame: on a slow phone it
 * needs longer than a tap may go without an answer. `data-pressed` stays until the other page is there.
 */
export function NavLink({ to, leadsTo = to, ...shown }: NavLinkProps) {
  const router = useRouter()
  const [isPressed, setPressed] = useState(false)
  const hasGone = useRef(false)
  const preload = (): void => {
    hasGone.current = false
    // After a quick tap the navigation loads all of it.
    afterFrame(() => void (hasGone.current || router.preloadRoute({ to: leadsTo }).catch(() => undefined)))
  }
  const go = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.altKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    hasGone.current = true
    setPressed(true)
    afterFrame(() => void router.navigate({ to: leadsTo }).finally(() => setPressed(false)))
  }
  return (
    <Link
      to={to}
      preload={false}
      data-pressed={isPressed || undefined}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={go}
      {...shown}
    />
  )
}
