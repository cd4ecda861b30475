import { Link } from '@tanstack/react-router'
import { pauseOutline, playOutline } from 'ionicons/icons'
import type { ReactNode } from 'react'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Button } from '#client/ui/states/button.tsx'

interface BarAction {
  label: string
  icon: string
  /** Where it leads, or what it does. */
  to?: string
  onSelect?: () => void
}

interface BarActionsProps {
  /** What it is about: "campaign". Read out after each label. */
  what: string
  /** What the row can be switched to. */
  next: 'ENABLED' | 'PAUSED'
  onSwitch: () => void
  others: readonly BarAction[]
}

/** What is done with a row most, its state first: on a phone in the bar at the bottom. */
export function BarActions({ what, next, onSwitch, others }: BarActionsProps) {
  const state = next === 'PAUSED' ? { label: 'Pause', icon: pauseOutline } : { label: 'Enable', icon: playOutline }
  const actions: BarAction[] = [{ ...state, onSelect: onSwitch }, ...others]
  return actions.map(({ label, icon, to, onSelect }) => {
    const content: ReactNode = (
      <>
        <Icon icon={icon} />
        <span>
          {label}
          <span className="visually-hidden"> {what}</span>
        </span>
      </>
    )
    return to === undefined ? (
      <Button key={label} className="bar-action" onClick={onSelect}>
        {content}
      </Button>
    ) : (
      <Link key={label} to={to} className="button button-quiet bar-action">
        {content}
      </Link>
    )
  })
}
