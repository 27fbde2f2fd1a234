/* Hands the authorization's answer to the page that asked, over a channel of this origin: an address would stay in the history. */
(() => {
  'use strict';

  const answer = location.search;
  history.replaceState(null, '', location.pathname);
  const channel = new BroadcastChannel('alcada-conectar');
  channel.onmessage = ({ data }) => {
    if (data.received === new URLSearchParams(answer).get('state')) window.close();
  };
  channel.postMessage({ answer });
})();
