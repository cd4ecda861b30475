import { IonRouterContext, type IonRouterContextState, NavContext, type RouteInfo, setupIonicReact } from '@ionic/react'
import { useCanGoBack, useLocation, useRouter } from '@tanstack/react-router'
import { type ContextType, type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { navigateHref } from './navigate-href.ts'

type Nav = ContextType<typeof NavContext>

type Router = ReturnType<typeof useRouter>
/** Whether there is a page to go back to, as it is when asked. */
type CanGoBack = RefObject<boolean>

function useRouteInfo(): RouteInfo {
  const location = useLocation()
  return useMemo(
    () => ({
      id: location.state.__TSR_key ?? 'first',
      pathname: location.pathname,
      search: location.searchStr,
      routeAction: 'push',
      routeDirection: 'forward',
    }),
    [location],
  )
}

function useNav(router: Router, back: CanGoBack): Pick<Nav, 'goBack' | 'navigate'> {
  return useMemo(() => {
    const goBack: Nav['goBack'] = to => {
      if (back.current) router.history.back()
      else if (typeof to === 'string') void navigateHref(router, to, { replace: true, direction: 'back' })
    }
    const navigate: Nav['navigate'] = (path, direction, action) => {
      if (action === 'pop') goBack(path)
      else void navigateHref(router, path, { replace: action === 'replace', direction })
    }
    return { goBack, navigate }
  }, [router, back])
}

// Overlays answer the back button at priority 100 and the menu at 99; leaving the page comes last.
function useHardwareBack(router: Router, back: CanGoBack): void {
  return useEffect(() => {
    const onBackButton = (event: Event): void => {
      const { detail } = event as CustomEvent<{
        register: (priority: number, handler: (next: () => void) => void) => void
      }>
      detail.register(0, next => (back.current ? router.history.back() : next()))
    }
    document.addEventListener('ionBackButton', onBackButton)
    return () => document.removeEventListener('ionBackButton', onBackButton)
  }, [router, back])
}

/**
 * Sends Ionic's navigation (routerLink, IonBackButton, useIonRouter, the hardware back button) through the router.
 * IonRouterOutlet and IonTabs must not be used with it: pages are drawn by the router's own outlet.
 */
export function IonicRouterAdapter({ children }: { children: ReactNode }) {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const back = useRef(canGoBack)
  useLayoutEffect(() => {
    back.current = canGoBack
  }, [canGoBack])
  const routeInfo = useRouteInfo()
  const nav = useNav(router, back)
  useHardwareBack(router, back)

  const navContext = useMemo<Nav>(
    () => ({
      ...nav,
      routeInfo,
      hasIonicRouter: () => true,
      getIonRoute: () => undefined,
      getStackManager: () => undefined,
      setCurrentTab: () => undefined,
      changeTab: (_tab, path) => nav.navigate(path, 'root'),
      resetTab: (_tab, path) => nav.navigate(path, 'back'),
    }),
    [nav, routeInfo],
  )
  const ionRouter = useMemo<IonRouterContextState>(
    () => ({
      routeInfo,
      canGoBack: () => back.current,
      nativeBack: () => router.history.back(),
      back: () => nav.goBack(),
      push: (path, direction, action) => nav.navigate(path, direction, action),
      navigateRoot: path => void navigateHref(router, path, { replace: true, direction: 'root' }),
    }),
    [nav, routeInfo, router],
  )
  return (
    <NavContext.Provider value={navContext}>
      <IonRouterContext.Provider value={ionRouter}>{children}</IonRouterContext.Provider>
    </NavContext.Provider>
  )
}

/**
 * Starts Ionic in the platform's look. Ionic's React wrappers of IonItem, IonButton and their kin register themselves by
 * class only, without the elements inside them (the ripple, for one): code that uses one of them calls Ionic's own
 * `defineCustomElement` beside it, as lists/swipe-row.tsx does. Here it would lie on everybody's critical path.
 */
export function setupIonic(): void {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  const mode = new URLSearchParams(location.search).get('ionic:mode')
  setupIonicReact({ ...(still && { animated: false }), ...((mode === 'ios' || mode === 'md') && { mode }) })
}
