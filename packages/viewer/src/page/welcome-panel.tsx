/** What is shown before anything is open. @module */
import type { JSX } from "preact";

/** See the module. */
export function WelcomePanel(): JSX.Element {
  return (
    <main class="welcome">
      <div class="drop">
        <svg viewBox="0 0 48 48" width="56" height="56" aria-hidden="true">
          <g fill="none" stroke="currentColor" stroke-width="2">
            <rect x="7" y="7" width="15" height="15" rx="3" />
            <rect x="26" y="7" width="15" height="15" rx="3" opacity=".45" />
            <rect x="7" y="26" width="15" height="15" rx="3" opacity=".45" />
            <rect x="26" y="26" width="15" height="15" rx="3" opacity=".7" />
          </g>
        </svg>
        <h2>Drop a Blosc2 file here</h2>
        <p>Arrays (.b2nd) and super-chunks (.b2frame), one or a folder of them; or paste an address above.</p>
        <p class="hint">
          Files stay on this machine. Of a file of any size, only the blocks of what you look at are read.
        </p>
      </div>
    </main>
  );
}
