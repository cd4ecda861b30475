import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { type FirstStep, firstSteps, type SurveyAnswers } from '../survey-contract.ts'
import { answerSurvey, surveyQuery } from './survey-queries.ts'
import './survey.css'

interface Suggestion {
  to: string
  title: string
  reason: string
}

function suggestionOf(step: FirstStep, { catalogueSize }: SurveyAnswers): Suggestion {
  const suggestions: Record<FirstStep, Suggestion> = {
    CREATE_CAMPAIGN: {
      to: '/create-campaign',
      title: 'Create a campaign',
      reason: 'Choose products and a goal; Tideline sets up keywords and bids.',
    },
    FIND_WASTE: {
      to: '/search-terms',
      title: 'Find searches that only cost',
      reason: 'See what people searched for before clicks that never bought.',
    },
    ENTER_COSTS: {
      to: '/inventory',
      title: 'Enter what your products cost',
      reason:
        catalogueSize === 'HUNDREDS'
          ? 'Import a file with all of them: then you see profit, not only sales.'
          : 'Then you see profit, not only sales.',
    },
    TURN_ON_PUSH: {
      to: '/settings',
      title: 'Choose what you are notified of',
      reason: 'Tideline watches your campaigns and calls you when one needs you.',
    },
  }
  return suggestions[step]
}

/** On Home: what to do first, by what the user answered after the registration; nothing once they hide it. */
export function FirstSteps() {
  const { data } = useQuery(surveyQuery())
  const hide = useMutation(answerSurvey())
  if (!data) return null
  const { answeredAt: _, ...answers } = data
  const steps = firstSteps(answers)
  if (steps.length === 0) return null
  return (
    <Card
      title="First steps"
      aside={
        <Button busy={hide.isPending} onClick={() => hide.mutate({ ...answers, showsSteps: false })}>
          Hide
        </Button>
      }
    >
      <ol className="first-steps">
        {steps.map(step => {
          const { to, title, reason } = suggestionOf(step, answers)
          return (
            <li key={step}>
              <Link to={to}>{title}</Link>
              <small>{reason}</small>
            </li>
          )
        })}
      </ol>
    </Card>
  )
}
