import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { SheetStack } from './sheet-stack.tsx'

afterEach(cleanup)

const steps = ['Template', 'Strategy'].map(title => ({ key: title, title, content: <p>{title} is chosen here</p> }))

function Column() {
  const [step, setStep] = useState(1)
  const footer = <button onClick={() => setStep(3 - step)}>Turn</button>
  return <SheetStack name="New" steps={steps} step={step} onStep={setStep} onLeave={() => undefined} footer={footer} />
}

it('puts the focus on the title of each step, up and down: the button pressed goes away with its card', () => {
  render(<Column />)
  const focused = () => document.activeElement
  expect(focused()).toBe(screen.getByRole('heading', { name: 'Template' }))
  for (const title of ['Strategy', 'Template']) {
    const turn = screen.getByText('Turn')
    turn.focus()
    fireEvent.click(turn)
    expect(focused()).toBe(screen.getByRole('heading', { name: title, level: 1 }))
  }
})
