/**
 * The page's content security policy, in one place: the build writes it into index.html and into headers.json, from
 * which the servers take it. A superset of the sandbox frame's policy, since a srcdoc frame inherits the page's.
 *
 * @param {string} frameScriptHash `sha256-…` of the sandbox frame's inline script
 * @returns {string}
 */
export function pagePolicy(frameScriptHash) {
  return [
    "default-src 'self'",
    `script-src 'self' 'wasm-unsafe-eval' '${frameScriptHash}'`,
    "worker-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
    // A srcdoc frame still loads, but can no longer navigate itself to a server.
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/**
 * Headers for every response: the policy, and the isolation that threads need (a worker script without COEP fails in an
 * isolated page).
 *
 * @param {string} policy
 * @returns {Record<string, string>}
 */
export function pageHeaders(policy) {
  return {
    'Content-Security-Policy': policy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
}
