import { createGesture, type GestureDetail } from '@ionic/core/components'

// A sheet drawn this far, or flung this fast, goes down.
const farPx = 120
const flungPxPerMs = 0.4

/** Lets a finger drag the sheet down; calls `onDown` when it is released far enough. Returns a function that ends it. */
export function swipeDown(sheet: HTMLElement, onDown: () => void): () => void {
  const gesture = createGesture({
    el: sheet,
    gestureName: 'sheet-down',
    direction: 'y',
    threshold: 10,
    disableScroll: true,
    canStart: ({ event }) => isFinger(event) && !scrollsItself(event.target, sheet),
    onStart: () => {
      sheet.style.transition = 'none'
    },
    onMove: ({ deltaY }) => {
      sheet.style.transform = `translateY(${Math.max(0, deltaY)}px)`
    },
    onEnd: detail => {
      // From where it is, the style sheet moves it down or back.
      sheet.style.transition = ''
      sheet.style.transform = ''
      if (goesDown(detail)) onDown()
    },
  })
  gesture.enable()
  return () => gesture.destroy()
}

const goesDown = ({ deltaY, velocityY }: GestureDetail): boolean =>
  deltaY > farPx || (deltaY > 0 && velocityY > flungPxPerMs)

// A mouse marks text.
const isFinger = (event: UIEvent): boolean => event.type.startsWith('touch')

// What is scrolled down comes back up first.
function scrollsItself(target: EventTarget | null, sheet: HTMLElement): boolean {
  for (let at = target instanceof Element ? target : null; at && at !== sheet; at = at.parentElement)
    if (at.scrollTop > 0) return true
  return false
}
