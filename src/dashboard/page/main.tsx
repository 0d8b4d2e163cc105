import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, StrictMode, Suspense } from 'react';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Route, Switch } from 'wouter';
import { client, useNews } from './api.ts';
import { Empty } from './parts.tsx';
import { Fleet } from './screens/fleet.tsx';
import { Login } from './screens/login.tsx';
import { Shell } from './shell.tsx';
import { texts } from './texts.ts';
import { applyTheme } from './theme.ts';
import './style.css';

const Templates = lazy(async () => ({ default: (await import('./screens/templates.tsx')).Templates }));
const Template = lazy(async () => ({ default: (await import('./screens/template.tsx')).Template }));
const Policies = lazy(async () => ({ default: (await import('./screens/policies.tsx')).Policies }));
const Policy = lazy(async () => ({ default: (await import('./screens/policy.tsx')).Policy }));
const Plan = lazy(async () => ({ default: (await import('./screens/plan.tsx')).Plan }));
const Waiting = lazy(async () => ({ default: (await import('./screens/waiting.tsx')).Waiting }));
const Timeline = lazy(async () => ({ default: (await import('./screens/timeline.tsx')).Timeline }));

/** The screens of somebody who is logged in. */
function Screens(): ReactNode {
  useNews();
  return (
    <Shell>
      <Suspense fallback={<div className="loading" role="status" aria-label={texts.common.loading} />}>
        <Switch>
          <Route path="/" component={Fleet} />
          <Route path="/templates" component={Templates} />
          <Route path="/template" component={Template} />
          <Route path="/policies" component={Policies} />
          <Route path="/policy" component={Policy} />
          <Route path="/plan" component={Plan} />
          <Route path="/waiting" component={Waiting} />
          <Route path="/timeline" component={Timeline} />
          <Route>
            <Empty title={texts.common.empty} />
          </Route>
        </Switch>
      </Suspense>
    </Shell>
  );
}

applyTheme();
const root = document.querySelector('#root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Switch>
          <Route path="/login" component={Login} />
          <Route component={Screens} />
        </Switch>
      </QueryClientProvider>
    </StrictMode>,
  );
}
