import './managing.css'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { chevronDownOutline, closeCircleOutline } from 'ionicons/icons'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { Managed } from '#client/api/session/managing.ts'
import { serverAheadMs } from '#client/api/server-clock.ts'
import { formatTime } from '#client/ui/figures/format.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { managingQueries } from './queries.ts'
import { followServer, stopManaging } from './switch-user.ts'
import { fullName } from './user-finder.tsx'

/** At the top of each screen of a campaign manager: where users are managed, or who is managed now. */
export function AdminBar({ managed }: { managed: Managed | null }) {
  return managed ? <ManagingBar managed={managed} /> : <MenuBar />
}

function MenuBar() {
  return (
    <nav className="admin-bar" aria-label="Administration">
      <Menu label="General" entries={[{ to: '/admin-user-management', label: 'User Management' }]} />
      <Menu label="Manage User" entries={[{ to: '/admin-performance-reports', label: 'Performance Reports' }]} />
    </nav>
  )
}

interface MenuProps {
  label: string
  entries: readonly { to: string; label: string }[]
}

function Menu({ label, entries }: MenuProps) {
  const [open, setOpen] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  return (
    // The keys and the focus of the button and the links in it.
    <div
      ref={frame}
      role="presentation"
      className="admin-menu"
      onBlur={event => !frame.current?.contains(event.relatedTarget) && setOpen(false)}
      onKeyDown={event => {
        if (event.key !== 'Escape' || !open) return
        setOpen(false)
        button.current?.focus()
      }}
    >
      <button ref={button} type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {label}
        <Icon icon={chevronDownOutline} />
      </button>
      <ul id={id} hidden={!open}>
        {entries.map(entry => (
          <li key={entry.to}>
            <Link to={entry.to} onClick={() => setOpen(false)}>
              {entry.label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

// A hue of its own for each user, so that two of them are not taken for each other.
const hues = 6

function ManagingBar({ managed }: { managed: Managed }) {
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  useEnd(managed.endsAt, () => void followServer(router))
  const { data: current } = useQuery(managingQueries.current())
  const isOther = current !== undefined && current?.id !== managed.id
  useEffect(() => {
    if (isOther) void followServer(router)
  }, [isOther, router])
  // The name may have changed since this device noted it.
  const shown = isOther ? managed : (current ?? managed)
  const name = `${fullName(shown)} ${shown.email}`
  const stop = () => {
    setBusy(true)
    void stopManaging(router).finally(() => setBusy(false))
  }
  return (
    <>
      <section className="admin-bar managing" data-hue={managed.id % hues} aria-label="Managed user">
        <span>Managing:</span>
        <strong className="managed-name" title={name}>
          {name}
        </strong>
        {managed.endsAt && <span className="managing-end">until {formatTime(managed.endsAt)}</span>}
        <button
          type="button"
          className="stop-managing"
          title="Stop managing user"
          disabled={busy}
          aria-busy={busy || undefined}
          onClick={stop}
        >
          <Icon icon={closeCircleOutline} />
          Stop
          <span className="visually-hidden"> managing user</span>
        </button>
      </section>
      <div className="managing-frame" data-hue={managed.id % hues} aria-hidden="true" />
    </>
  )
}

// The server ends it a little earlier rather than later than this.
const marginMs = 1000

function useEnd(endsAt: string | null, onEnd: () => void): void {
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (endsAt === null) return
    const timer = setTimeout(end, Math.max(0, Date.parse(endsAt) - Date.now() - serverAheadMs()) + marginMs)
    return () => clearTimeout(timer)
  }, [endsAt])
}
