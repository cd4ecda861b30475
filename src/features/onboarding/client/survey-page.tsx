import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { ChoiceCards } from '#client/ui/forms/choices.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { SurveyAnswers } from '../survey-contract.ts'
import { answerSurvey, surveyQuery } from './survey-queries.ts'
import './survey.css'

const noAnswers: SurveyAnswers = { goal: null, experience: null, catalogueSize: null, showsSteps: true }

/** Three questions after the first log-in, each of which may stay open; Home suggests first steps by the answers. */
export function SurveyPage() {
  const { data: earlier } = useQuery(surveyQuery())
  // Answered before on another device: the form begins with that.
  return <SurveyForm key={earlier?.answeredAt ?? 'new'} initial={earlier ?? noAnswers} />
}

function SurveyForm({ initial }: { initial: SurveyAnswers }) {
  const { goal, experience, catalogueSize } = initial
  const [answers, setAnswers] = useState<SurveyAnswers>({ goal, experience, catalogueSize, showsSteps: true })
  const navigate = useNavigate()
  const online = useOnline()
  const home: string = '/home'
  const save = useMutation({ ...answerSurvey(), onSuccess: () => void navigate({ to: home, replace: true }) })
  const change = (changes: Partial<SurveyAnswers>): void => setAnswers({ ...answers, ...changes })
  return (
    <Page title="Three questions to begin">
      <form
        className="survey"
        onSubmit={event => {
          event.preventDefault()
          save.mutate(answers)
        }}
      >
        <p>Your answers decide what Home suggests first. You can skip any of them.</p>
        <ChoiceCards
          legend="What do you want most?"
          value={answers.goal}
          onChange={value => change({ goal: value })}
          options={[
            { value: 'SELL_MORE', label: 'Sell more', hint: 'More campaigns for more of my products' },
            { value: 'WASTE_LESS', label: 'Waste less', hint: 'No money for clicks that never buy' },
            { value: 'SAVE_TIME', label: 'Save time', hint: 'Hear only of what needs me' },
          ]}
        />
        <ChoiceCards
          legend="How well do you know marketplace ads?"
          value={answers.experience}
          onChange={value => change({ experience: value })}
          options={[
            { value: 'NEW', label: 'I am new to them' },
            { value: 'SOME', label: 'I have run some campaigns' },
            { value: 'EXPERT', label: 'I run them every day' },
          ]}
        />
        <ChoiceCards
          legend="How many products do you sell?"
          value={answers.catalogueSize}
          onChange={value => change({ catalogueSize: value })}
          options={[
            { value: 'FEW', label: 'Up to 10' },
            { value: 'DOZENS', label: '11 to 100' },
            { value: 'HUNDREDS', label: 'More than 100' },
          ]}
        />
        <div className="survey-buttons">
          <Button type="submit" tone="primary" busy={save.isPending} busyLabel="Saving…" disabled={!online}>
            Continue
          </Button>
          <Button disabled={!online || save.isPending} onClick={() => save.mutate(noAnswers)}>
            Skip
          </Button>
        </div>
      </form>
    </Page>
  )
}
