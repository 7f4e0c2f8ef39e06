/** What is near some nodes: personalised PageRank, and neighbourhoods within budgets. */
package org.isomatch.walk;
