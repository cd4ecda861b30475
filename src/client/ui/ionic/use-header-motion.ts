import { useEffect, useState } from 'react'

interface HeaderMotion {
  collapsed: boolean
  /** The reader is on the way down: what is below the title makes room. */
  tucked: boolean
}
interface Reading {
  /** The furthest position since the direction last changed. */
  turn: number
  /** How far the page can scroll; the header's own height changes it. */
  most: number
}

// The two limits of the title lie further apart than the whole header shrinks, so that it cannot flutter on a short page.
const shrinkFrom = 96
const growBelow = 4
const upToReveal = 24

const open: HeaderMotion = { collapsed: false, tucked: false }

/** How the header reacts to scrolling: it shrinks on the way down and opens again at the top or on the way up. */
export function useHeaderMotion(scroller: HTMLElement | null): HeaderMotion {
  const [motion, setMotion] = useState(open)
  useEffect(() => {
    if (!scroller) return
    const reading: Reading = { turn: scroller.scrollTop, most: 0 }
    let current = open
    const onScroll = (): void => {
      current = nextMotion(current, scroller, reading)
      setMotion(current)
    }
    onScroll()
    scroller.addEventListener('scroll', onScroll, { passive: true })
    return () => scroller.removeEventListener('scroll', onScroll)
  }, [scroller])
  return motion
}

function nextMotion(
  was: HeaderMotion,
  { scrollTop, scrollHeight, clientHeight }: Pick<HTMLElement, 'scrollTop' | 'scrollHeight' | 'clientHeight'>,
  reading: Reading,
): HeaderMotion {
  const collapsed = scrollTop > (was.collapsed ? growBelow : shrinkFrom)
  const most = scrollHeight - clientHeight
  // Past the end the page bounces back by itself.
  if (scrollTop > most + 1) return was
  const resized = most !== reading.most
  reading.most = most
  const moved = scrollTop - reading.turn
  // Where the page became shorter, as it does when the header shrinks, its end moves it up: that was not the reader.
  const revealed = !resized && -moved > upToReveal
  if (moved > 0 || resized || revealed) reading.turn = scrollTop
  return same(was, collapsed, collapsed && !revealed && (moved > 0 || was.tucked))
}

const same = (was: HeaderMotion, collapsed: boolean, tucked: boolean): HeaderMotion =>
  was.collapsed === collapsed && was.tucked === tucked ? was : { collapsed, tucked }
