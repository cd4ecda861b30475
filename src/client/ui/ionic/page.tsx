import { useLocation, useCanGoBack, useRouter } from '@tanstack/react-router'
import {
  type HTMLAttributes,
  type ReactNode,
  type Ref,
  Suspense,
  useMemo,
  useRef,
  useState,
  type RefObject,
  useEffect,
  useLayoutEffect,
} from 'react'
import { lazyWhenIdle } from '../../early/when-idle.ts'
import { PageScroll } from './page-scroll.ts'
import { useHeaderMotion } from './use-header-motion.ts'
import { useOnline } from '../../api/online.ts'
import { arrowBackOutline } from 'ionicons/icons'
import { formatNumber } from '../figures/format.ts'
import { useBell } from '../shell/navigation/nav-context.ts'
import { Icon } from './icon.tsx'
import { navigateHref } from './navigate-href.ts'

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'ion-content': HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLIonContentElement> }
    }
  }
}

const positions = new Map<string, number>()

const maxPositions = 200

/**
 * Finds the scrolling element of a page and puts it back where this history entry was left; an entry that is new to the
 * page, such as another filter, leaves it where it is. The router's own restoration cannot see into Ionic's content. On the
 * first screen that element is Ionic's tag itself, until its code has come.
 */
function useRestoredScroll(content: RefObject<HTMLIonContentElement | null>, key: string): HTMLElement | null {
  const [element, setElement] = useState<HTMLElement | null>(null)
  useLayoutEffect(() => {
    let gone = false
    let scroller: HTMLElement | undefined
    const remember = (): void => {
      if (positions.size >= maxPositions && !positions.has(key)) positions.delete(positions.keys().next().value ?? '')
      if (scroller) positions.set(key, scroller.scrollTop)
    }
    const attach = (scrollElement: HTMLElement, top: number | undefined): void => {
      scroller?.removeEventListener('scroll', remember)
      scroller = scrollElement
      if (top !== undefined) scrollElement.scrollTop = top
      scrollElement.addEventListener('scroll', remember, { passive: true })
      setElement(scrollElement)
    }
    const start = async (host: HTMLIonContentElement): Promise<void> => {
      let top = positions.get(key)
      if (!customElements.get('ion-content')) {
        attach(host, top)
        const onScroll = (): void => {
          top = host.scrollTop
        }
        host.addEventListener('scroll', onScroll, { passive: true })
        await customElements.whenDefined('ion-content')
        host.removeEventListener('scroll', onScroll)
      }
      const scrollElement = await host.getScrollElement?.()
      if (!gone && scrollElement) attach(scrollElement, top)
    }
    if (content.current) void start(content.current)
    return () => {
      gone = true
      scroller?.removeEventListener('scroll', remember)
    }
  }, [content, key])
  return element
}

const PullToRefresh = lazyWhenIdle(() => import('./pull-to-refresh.tsx').then(m => m.PullToRefresh))

export interface PageProps {
  title: string
  /** How many rows the list has, after the title. */
  count?: ReactNode
  /** Address that Back leads to when there is no history; shows the back button. */
  back?: string
  actions?: ReactNode
  /** Below the title, from 768 px next to it: account, days, filters. On a phone it makes room on the way down. */
  toolbar?: ReactNode
  /** First line of the content: the age of the figures, usually a DataAge. */
  status?: ReactNode
  footer?: ReactNode
  onRefresh?: () => Promise<unknown>
  /** Uses the whole width instead of a readable column (tables and lists beside details). */
  wide?: boolean
  children: ReactNode
}

// Of a phone's line: a longer one is smaller, so that the first figure stays in sight.
const longTitle = 16

/** A screen: header with a large title that shrinks when the content moves, content, and what a router outlet would do. */
export function Page({ title, count, back, actions, toolbar, status, footer, onRefresh, wide, children }: PageProps) {
  const content = useRef<HTMLIonContentElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const key = useOwnKey()
  const scroller = useRestoredScroll(content, key)
  const pageScroll = useMemo(() => ({ element: scroller, top: positions.get(key) ?? 0 }), [scroller, key])
  const { collapsed, tucked } = useHeaderMotion(scroller)
  const bell = useBell()
  usePageTitle(title)
  usePageFocus(heading)
  return (
    <div className="ion-page">
      <header className={`page-header ${collapsed ? 'collapsed' : ''} ${tucked ? 'tucked' : ''}`}>
        <div className="page-bar">
          {back && <BackButton to={back} />}
          <h1 ref={heading} id="page-title" tabIndex={-1} data-long={title.length > longTitle || undefined}>
            {title}
            {count !== undefined && <small> {typeof count === 'number' ? formatNumber(count) : count}</small>}
          </h1>
          {(actions || bell) && (
            <div className="page-actions">
              {actions}
              {bell}
            </div>
          )}
        </div>
        {toolbar && (
          <div className="page-toolbar">
            <div>{toolbar}</div>
          </div>
        )}
        <OfflineBar />
      </header>
      <ion-content ref={content}>
        {onRefresh && (
          <Suspense>
            <PullToRefresh onRefresh={onRefresh} />
          </Suspense>
        )}
        <PageScroll value={pageScroll}>
          <div className={wide ? 'page-body wide' : 'page-body'}>
            {status && <div className="page-status">{status}</div>}
            {children}
          </div>
        </PageScroll>
      </ion-content>
      {footer && (
        <footer className="page-footer">
          <div>{footer}</div>
        </footer>
      )}
    </div>
  )
}

// The key of the history entry that this page shows. While it is being left, the address is already the next page's.
function useOwnKey(): string {
  const { key, pathname } = useLocation({
    select: ({ state, href, pathname }) => ({ key: state.__TSR_key ?? href, pathname }),
    structuralSharing: true,
  })
  const [shown, setShown] = useState({ key, pathname })
  if (pathname !== shown.pathname || key === shown.key) return shown.key
  setShown({ key, pathname })
  return key
}

const offlineTexts = ['You are offline.', 'What you see was saved earlier.'] as const
const unreachedTexts = ['Tideline cannot be reached.', 'Shown as last saved.'] as const

function OfflineBar() {
  const online = useOnline()
  const [why, saved] = navigator.onLine ? unreachedTexts : offlineTexts
  return (
    // The early script shows it with a copy of the screen.
    <output className="offline-bar" hidden={online} data-offline={offlineTexts.join(' ')}>
      {!online && (
        <>
          {why} <span className="offline-saved">{saved}</span>
        </>
      )}
    </output>
  )
}

/** Goes back to where the user came from, or to `to` when the page was opened by its address. A native button, to stay light. */
function BackButton({ to }: { to: string }) {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const goBack = (): void => {
    if (canGoBack) router.history.back()
    else void navigateHref(router, to, { replace: true })
  }
  return (
    <button type="button" className="icon-button back-button" aria-label="Back" onClick={goBack}>
      <Icon icon={arrowBackOutline} />
    </button>
  )
}

const frames = 20

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Tideline`
  }, [title])
}

/** After a navigation, moves the focus to the page's heading so that it is read out. */
function usePageFocus(heading: RefObject<HTMLElement | null>): void {
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
